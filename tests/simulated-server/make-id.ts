import type { Software } from "./model.ts";

/** A snowflake, or letters and digits. Both contain the creation time. */
export function makeId(software: Software, createdAt: Date, seq: number): string {
  const ms = createdAt.getTime();
  switch (software) {
    case "mastodon":
    case "pixelfed":
      return ((BigInt(ms) << 16n) + BigInt(seq % 65_536)).toString();
    default:
      return ms.toString(36).padStart(9, "0") + (seq % 1_679_616).toString(36).padStart(4, "0");
  }
}
