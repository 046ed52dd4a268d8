import { totalmem } from "node:os";

/** What the built-in server is told at each start, so that an update of Sluice reaches old data folders. */
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
    // Nothing else may connect: no socket in a folder that others can write to.
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: roomy ? "256MB" : "128MB",
    effective_cache_size: roomy ? "1GB" : "512MB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    // Small servers have solid-state disks nowadays; the default of 4 is for turning ones.
    random_page_cost: "1.1",
    // Compiling pays for queries that take seconds; it made short ones over large tables slower.
    jit: "off",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    // After a checkpoint the first change of a page writes all of it into the log. Among a million posts nearly every
    // change is a page's first, and that is most of what is written: so fewer checkpoints, and the pages packed. What
    // there is to read again after a crash is bounded as before, by max_wal_size (1 GB).
    checkpoint_timeout: "15min",
    wal_compression: "pglz",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    logging_collector: "off",
    log_destination: "stderr",
    log_checkpoints: "off",
    // Failed statements are the application's to report; here they could carry what people wrote.
    log_min_messages: "log",
    log_min_error_statement: "panic",
  };
}
