import { existsSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/env.ts";
import { NOTE, openDataFolder } from "#lib/runtime/data-folder.ts";
import { lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import type { FormerDatabase } from "./keep-refusals.ts";

export type OpenedDatabase = FormerDatabase & { stop: () => Promise<void> };

/**
 * Starts the built-in database of a data folder that was moved aside, or takes the URL of another database.
 *
 * @param place an absolute path, or a URL
 * @param target the folder to restore into
 * @throws OperatorError when there is none, or when it runs
 */
export async function openFormerDatabase(
  place: string,
  settings: Env,
  target: string,
): Promise<OpenedDatabase> {
  if (place.includes("://")) {
    if (!URL.canParse(place))
      throw new OperatorError("--keep-refusals is no URL of a database. Nothing was changed.");
    const { host, pathname } = new URL(place);
    // Without its password.
    return { url: place, place: `${host}${pathname}`, stop: () => Promise.resolve() };
  }
  if (!existsSync(place)) throw new OperatorError(`There is no folder ${place}. Nothing was changed.`);
  const hasDatabase = (folder: string) => existsSync(path.join(folder, "postgres", "PG_VERSION"));
  // Without either, opening it could make a new data folder.
  const isData = hasDatabase(place) || existsSync(path.join(place, NOTE));
  if (!isData) throw noDatabase(place);
  const dataDir = await openDataFolder({ ...settings, DATA_DIR: place, DATABASE_URL: undefined }, say);
  if (path.resolve(dataDir) === path.resolve(target)) {
    throw new OperatorError(
      `${place} is the folder to restore into: move the former data folder away first. Nothing was changed.`,
    );
  }
  if (!hasDatabase(dataDir)) throw noDatabase(place);
  const lock = await lockDataDir(dataDir, "command");
  try {
    const server = await startEmbeddedPostgres({ dataDir, lock, say });
    const stop = async () => {
      await server.stop();
      lock.release();
    };
    return { url: server.url, place, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function noDatabase(place: string): OperatorError {
  return new OperatorError(
    `${place} has no database: name the former DATA_DIR, or the URL of the former database. Nothing was changed.`,
  );
}
