import { createClient } from "#lib/base/db.ts";

/** Runs work while no database can be reached. */
export async function withoutDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const holder = globalThis as { sluiceDb?: ReturnType<typeof createClient> };
  const here = holder.sluiceDb;
  const nowhere = createClient("postgresql://nobody@127.0.0.1:1/nothing");
  holder.sluiceDb = nowhere;
  try {
    return await work();
  } finally {
    if (here) holder.sluiceDb = here;
    await nowhere.$disconnect();
  }
}
