import { totalmem } from "node:os";

/** Passed at each start, so that changes apply to old data folders. */
export function serverSettings({
  port,
  durable,
}: {
  port: number;
  durable: boolean;
}): Record<string, string> {
  const roomy = totalmem() >= 2 * 1024 ** 3;
  return {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: roomy ? "256MB" : "128MB",
    effective_cache_size: roomy ? "1GB" : "512MB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    // The default of 4 is for rotating disks.
    random_page_cost: "1.1",
    // JIT compilation slowed short queries on large tables.
    jit: "off",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    // Fewer and compressed full-page images (docs/decisions/0001-embedded-postgresql.md); max_wal_size
    // bounds recovery to about 1 GB.
    checkpoint_timeout: "15min",
    wal_compression: "pglz",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    logging_collector: "off",
    log_destination: "stderr",
    log_checkpoints: "off",
    // The application logs failed statements; their texts may be private.
    log_min_messages: "log",
    log_min_error_statement: "panic",
  };
}
