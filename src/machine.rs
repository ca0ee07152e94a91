//! What the machine offers: memory and disk space.

use std::path::Path;

use sysinfo::{Disks, ProcessesToUpdate, System};

/// The memory that this process may use, in bytes: the machine's, or less where its control group has less. `None`
/// where the system does not say.
pub(crate) fn memory_bytes() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    Some(system.total_memory().min(group)).filter(|&bytes| bytes > 0)
}

/// The memory that this process has, in bytes.
pub(crate) fn resident_bytes() -> Option<u64> {
    let process = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    system.refresh_processes(ProcessesToUpdate::Some(&[process]), false);
    Some(system.process(process)?.memory())
}

/// What is free on the disk of a path, whose end need not exist yet.
pub(crate) fn free_disk_bytes(path: &Path) -> Option<u64> {
    let there = std::path::absolute(path).ok()?;
    let there = there.ancestors().find_map(|ancestor| ancestor.canonicalize().ok())?;
    let disks = Disks::new_with_refreshed_list();
    let holds = |disk: &&sysinfo::Disk| there.starts_with(disk.mount_point());
    let disk = disks.iter().filter(holds).max_by_key(|disk| disk.mount_point().components().count())?;
    Some(disk.available_space())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_less_memory_than_its_machine() {
        let (resident, machine) = (resident_bytes().unwrap(), memory_bytes().unwrap());
        assert!(resident > 1 << 20 && resident < machine, "{resident} of {machine}");
    }

    #[test]
    fn disk_space_is_known_of_folders_that_are_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let free = free_disk_bytes(&folder.path().join("not/there/yet"));
        assert!(free.is_some_and(|bytes| bytes > 0), "{free:?}");
    }
}
