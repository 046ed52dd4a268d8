import { toIso } from "#lib/clock.ts";
import { waitingHostRows } from "./waiting-hosts-sql.ts";

export interface WaitingHost {
  host: string;
  /** ISO; asked again then. */
  until: string;
}

/** Hosts that are left alone for a while: they asked for it, or failed again and again. */
export async function listWaitingHosts(): Promise<WaitingHost[]> {
  const rows = await waitingHostRows();
  return rows.map((row) => ({ host: row.host, until: toIso(row.until) }));
}
