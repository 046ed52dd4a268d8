import { expect, it } from "vitest";
import { alertRules, findAlerts, type AlertFacts } from "./alert-rules.ts";

const now = Date.parse("2026-11-26T12:00:00Z");
const quiet: AlertFacts = {
  now,
  runway: null,
  silentStreams: [],
  recentErrors: 10,
  silentKeys: [],
  backup: { success: { at: "2026-11-25T03:00:00Z", bytes: 1 }, failure: null },
  disk: null,
};
const found = (change: Partial<AlertFacts>) =>
  findAlerts({ ...quiet, ...change }).map(({ rule, subject }) => `${rule} ${alertRules[rule].path(subject)}`);

it("finds nothing when all is well or not known", () => {
  expect(found({})).toEqual([]);
  expect(found({ runway: 1, backup: null, disk: { free: 6e9, size: 100e9 } })).toEqual([]);
});

it("finds each condition, with the page where a person acts", () => {
  expect(
    found({
      runway: 0.99,
      silentStreams: [{ id: 3, hashtag: "cats", instance: "m.example" }],
      recentErrors: 11,
      silentKeys: [{ id: 4, name: "Bot", last_characters: "abcd" }],
      backup: { success: { at: "2026-11-24T11:59:00Z", bytes: 1 }, failure: null },
      disk: { free: 4e9, size: 100e9 },
    }),
  ).toEqual([
    "supply.low /queue",
    "stream.silent /streams/3",
    "errors.jump /queue#errors",
    "key.silent /settings/keys/4",
    "backup.failed /settings/installation",
    "disk.full /settings/installation",
  ]);
});
