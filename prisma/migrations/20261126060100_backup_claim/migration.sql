-- Instances that share a folder for backups make one backup a night.
ALTER TABLE installation ADD COLUMN backup_lease_until timestamptz(3);
