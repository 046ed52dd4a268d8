import { disconnectDb } from "#lib/db.ts";
import { SettingsError } from "#lib/env.ts";
import { ensureSetup } from "#lib/members/ensure-setup.ts";
import { onStop, tellSupervisor } from "./supervised-child.ts";

/* Makes the first account, or its one-time link, and waits for its end. */

process.title = "sluice-setup";
onStop(() => process.exit(0));
try {
  const setup = await ensureSetup();
  await disconnectDb();
  tellSupervisor({ type: "ready", setup });
} catch (error) {
  if (!(error instanceof SettingsError) || process.send === undefined) throw error;
  tellSupervisor({ type: "failed", sentence: error.message });
}
