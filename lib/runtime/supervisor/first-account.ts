import { ensureSetup, type Setup } from "#lib/accounts/ensure-setup.ts";
import { disconnectDb } from "#lib/base/db.ts";
import { SettingsError } from "#lib/base/env.ts";

/* Makes the first account, or its one-time link. */

/** Result that the process sends to the supervisor before it ends. */
export type FirstAccount = Setup | { problem: string };

process.title = "sluice-setup";
const answer: FirstAccount = await ensureSetup().catch((error: unknown) => {
  if (error instanceof SettingsError) return { problem: error.message };
  throw error;
});
await disconnectDb();
process.send?.(answer, () => process.disconnect());
