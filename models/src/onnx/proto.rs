//! The few messages of ONNX that a network needs, in the wire format of protocol buffers.
//!
//! Field numbers are those of `onnx.proto3` in the ONNX repository, under the names of its messages.

use super::interface::{Dimension, Kind, Port};

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

const VARINT: u8 = 0;
const LENGTH_DELIMITED: u8 = 2;

impl Message {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn key(&mut self, field: u8, kind: u8) {
        self.varint(u64::from(field) << 3 | u64::from(kind));
    }

    /// A whole number.
    pub(super) fn number(mut self, field: u8, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// Bytes, a text, or a message as bytes.
    pub(super) fn bytes(mut self, field: u8, bytes: &[u8]) -> Self {
        self.key(field, LENGTH_DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(self, field: u8, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn message(self, field: u8, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    /// Whole numbers in one packed field.
    fn numbers(self, field: u8, values: &[usize]) -> Self {
        let mut packed = Self::default();
        for &value in values {
            packed.varint(value as u64);
        }
        self.message(field, &packed)
    }
}

/// `TensorProto.DataType`.
pub(super) const FLOAT: u64 = 1;
const INT64: u64 = 7;

/// A `TensorProto` of floating-point numbers.
pub(super) fn floats(name: &str, dimensions: &[usize], numbers: &[f32]) -> Message {
    debug_assert_eq!(dimensions.iter().product::<usize>(), numbers.len());
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tensor(name, dimensions, FLOAT, &raw)
}

/// A `TensorProto` of whole numbers.
pub(super) fn integers(name: &str, numbers: &[i64]) -> Message {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tensor(name, &[numbers.len()], INT64, &raw)
}

fn tensor(name: &str, dimensions: &[usize], kind: u64, raw: &[u8]) -> Message {
    Message::default().numbers(1, dimensions).number(2, kind).text(8, name).bytes(9, raw)
}

/// An `AttributeProto` that holds one whole number.
pub(super) fn int(name: &str, value: u64) -> Message {
    const INT: u64 = 2;
    Message::default().text(1, name).number(3, value).number(20, INT)
}

/// An `AttributeProto` that holds several.
pub(super) fn ints(name: &str, values: &[usize]) -> Message {
    const INTS: u64 = 7;
    Message::default().text(1, name).numbers(8, values).number(20, INTS)
}

/// A `NodeProto`.
pub(super) fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[Message]) -> Message {
    let message = inputs.iter().fold(Message::default(), |message, input| message.text(1, input));
    let message = message.text(2, output).text(3, output).text(4, operator);
    attributes.iter().fold(message, |message, attribute| message.message(5, attribute))
}

/// A `ValueInfoProto`.
pub(super) fn value(port: &Port) -> Message {
    let dimension = |dimension: &Dimension| match *dimension {
        Dimension::Any(name) => Message::default().text(2, name),
        Dimension::Fixed(size) => Message::default().number(1, size as u64),
    };
    let shape =
        port.dimensions.iter().fold(Message::default(), |shape, size| shape.message(1, &dimension(size)));
    let kind = match port.kind {
        Kind::Float => FLOAT,
        Kind::Integer => INT64,
    };
    let tensor = Message::default().number(1, kind).message(2, &shape);
    Message::default().text(1, port.name).message(2, &Message::default().message(1, &tensor))
}

/// A `StringStringEntryProto`.
pub(super) fn entry(name: &str, text: &str) -> Message {
    Message::default().text(1, name).text(2, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes worked out by hand from the encoding's description.
    #[test]
    fn numbers_texts_and_messages_are_laid_out_as_protocol_buffers_are() {
        let inner = Message::default().number(1, 300);
        assert_eq!(inner.clone().into_bytes(), [0x08, 0xAC, 0x02]);
        let outer = Message::default().text(2, "ab").message(20, &inner).numbers(8, &[1, 128]);
        let expected = [0x12, 2, b'a', b'b', 0xA2, 0x01, 3, 0x08, 0xAC, 0x02, 0x42, 3, 1, 0x80, 0x01];
        assert_eq!(outer.into_bytes(), expected);
    }

    #[test]
    fn a_tensor_holds_its_numbers_in_little_endian_order() {
        let bytes = floats("w", &[1, 1], &[1.0]).into_bytes();
        assert_eq!(bytes, [0x0A, 2, 1, 1, 0x10, 1, 0x42, 1, b'w', 0x4A, 4, 0, 0, 0x80, 0x3F]);
    }
}
