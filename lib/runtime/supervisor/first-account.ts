import { ensureSetup } from "#lib/accounts/ensure-setup.ts";
import { disconnectDb } from "#lib/base/db.ts";
import { SettingsError } from "#lib/base/env.ts";
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
