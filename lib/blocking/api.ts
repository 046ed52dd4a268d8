import { z } from "zod";
import type { Scope } from "#lib/auth/permissions.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { exportCsv, findBlockedUser, listBlocks } from "#lib/filters/block-lists.ts";
import {
  BlockListImport,
  blockListSchemas,
  BlockListQuery,
  BlockReach,
  CsvQuery,
  type BlockKind,
} from "#lib/filters/schema.ts";
import { mastodonCsv } from "#lib/filters/mastodon-lists.ts";
import { asOfQuery } from "#lib/http/common-fields.ts";
import { csvReply } from "#lib/http/csv.ts";
import type { AnyOperation } from "#lib/http/operation.ts";
import { created, noContent, ok, operation } from "#lib/http/route.ts";
import { addBlock, countBlock, countImport, importBlocks, removeBlock, requireBlockRight } from "./blocks.ts";

interface Texts {
  /** In ids: `blockUser`, `listBlockedUsers`. */
  noun: string;
  /** In summaries: "List blocked users". */
  plural: string;
  fileName: string;
  add: { summary: string; description: string; errors: ErrorCode[] };
  remove: { summary: string; notFound: ErrorCode };
  importFormats: string;
}

const texts: Record<BlockKind, Texts> = {
  user: {
    noun: "User",
    plural: "blocked users",
    fileName: "blocked-users.csv",
    add: {
      summary: "Block a user or a pattern of users",
      description:
        "`exact`: `@user@host`, `user@host` or the address of a profile. `suffix`, `prefix` and `contains` are " +
        "compared with `user@host` in lower case; a `*` at the open end is taken off. One account needs the scope " +
        "`review`, every other pattern `manage`.",
      errors: ["pattern_exists"],
    },
    remove: { summary: "Remove a blocked user or pattern", notFound: "blocked_user_not_found" },
    importFormats:
      "One account, domain, `*.host` or `*@host` a line; Mastodon's exports of blocked domains, blocked and muted " +
      "accounts; the CSV of this list. Commas, semicolons or tabs. An export of followed " +
      "accounts is refused.",
  },
  hashtag: {
    noun: "Hashtag",
    plural: "blocked hashtags",
    fileName: "blocked-hashtags.csv",
    add: {
      summary: "Block a hashtag",
      description: "Compared as Mastodon compares hashtags: NFKC, lower case, ASCII-folded.",
      errors: ["hashtag_blocked_already"],
    },
    remove: { summary: "Remove a blocked hashtag", notFound: "blocked_hashtag_not_found" },
    importFormats: "One hashtag a line, notes behind a comma; or the CSV of this list.",
  },
};

const tag = "Blocking";
const asOf = z.object({ as_of: asOfQuery });

/** Of blocked users, `requireBlockRight` decides. */
const rightOf: Record<BlockKind, { scope: Scope; orScope?: Scope }> = {
  user: { scope: "review", orScope: "manage" },
  hashtag: { scope: "manage" },
};

/** The operations of one block list, by route: `list`, `add`, `remove`, `import` and `csv`. */
export function blockListOperations(
  kind: BlockKind,
): Record<"list" | "add" | "remove" | "import" | "csv", AnyOperation> {
  const { noun, plural, fileName, add, remove, importFormats } = texts[kind];
  const { entry, added, create, importResult } = blockListSchemas[kind];
  return {
    list: operation({
      id: `listBlocked${noun}s`,
      summary: `List ${plural}`,
      description:
        "In order of id; up to 10 000 entries without paging. `matches` is the number of posts that an entry " +
        "has rejected or holds now.",
      tag,
      scope: "read",
      query: BlockListQuery,
      responses: { 200: z.array(entry) },
      headers: { 200: { "X-Total-Count": "Number of all entries." } },
      handle: async ({ query }) => {
        const { items, total } = await listBlocks(kind, query);
        return ok(items, { "X-Total-Count": String(total) });
      },
    }),
    add: operation({
      id: `block${noun}`,
      ...add,
      description:
        `${add.description} Acts at once: approved posts are held, within seconds when there are very many; posts that wait ` +
        "for review are rejected when rejection on fetch is on.",
      tag,
      ...rightOf[kind],
      dryRun: "Return the number of posts that it would hold and reject, without changing anything.",
      query: asOf,
      body: create,
      responses: { 200: BlockReach, 201: added },
      handle: async ({ principal, dryRun, body, query }) => {
        requireBlockRight(principal, body);
        return dryRun
          ? ok(await countBlock(kind, body))
          : created(await addBlock(kind, principal, body, query.as_of));
      },
    }),
    remove: operation({
      id: `unblock${noun}`,
      summary: remove.summary,
      description:
        "Releases the posts that it holds, unless another entry does. Posts that were rejected when it was set are unreviewed " +
        "again; those rejected at a fetch stay rejected.",
      tag,
      ...rightOf[kind],
      ids: ["id"],
      responses: { 204: null },
      errors: [remove.notFound],
      handle: async ({ principal, params }) => {
        if (kind === "user") requireBlockRight(principal, await findBlockedUser(params.id));
        await removeBlock(kind, principal, params.id);
        return noContent();
      },
    }),
    import: operation({
      id: `importBlocked${noun}s`,
      summary: `Import a list of ${plural}`,
      description: `${importFormats} Adds new entries and removes none. With \`dry_run\` nothing is changed, only the counts are returned.`,
      tag,
      scope: "manage",
      dryRun: "Return the counts without changing anything.",
      query: asOf,
      body: BlockListImport,
      responses: { 200: importResult },
      handle: async ({ principal, dryRun, body, query }) =>
        ok(await (dryRun ? countImport(kind, body.text) : importBlocks(kind, principal, body, query.as_of))),
    }),
    csv: operation({
      id: `exportBlocked${noun}s`,
      summary: `Export the ${plural}`,
      description:
        "In order of id, in the format of the import. Cells that a spreadsheet would run as a formula are escaped.",
      tag,
      scope: "read",
      ...(kind === "user" ? { query: CsvQuery } : {}),
      responses: { 200: z.string() },
      contentType: "text/csv",
      handle: ({ query }) => {
        const { form } = CsvQuery.parse(query ?? {});
        return Promise.resolve(csvReply(fileName, form === undefined ? exportCsv(kind) : mastodonCsv(form)));
      },
    }),
  };
}
