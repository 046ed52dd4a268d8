import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { refuseNetworkFolder } from "./network-folder.ts";

test.skipIf(process.platform !== "linux").each([
  ["NFS", 0x6969],
  ["CIFS, as a signed number", 0xff534d42 | 0],
  ["SMB", 0xfe534d42],
])("the built-in database is refused on %s", (_name, type) => {
  expect(() => refuseNetworkFolder("/data", type)).toThrow("DATA_DIR /data is on a network file system");
});

test("the built-in database is allowed on a local disk", () => {
  expect(() => refuseNetworkFolder(tmpdir())).not.toThrow();
});
