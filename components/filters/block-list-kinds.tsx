import { blockKinds } from "#components/words.ts";
import { domainBody } from "#components/blocking/reach-question.ts";
import type { Column } from "#components/ui/data-table.tsx";
import {
  writtenDomain,
  type BlockEntry,
  type BlockField,
  type BlockKind,
  type StoredPatternType,
} from "#lib/blocking/schema.ts";

/** An account or a domain, told by what is typed. */
const GUESSED = "guessed";

/** Form values. Notes are empty instead of null. */
export type Draft<K extends BlockKind> = Record<BlockField<K> | "notes", string>;

export interface FormField<K extends BlockKind> {
  name: BlockField<K>;
  label: string;
  hint?: (draft: Draft<K>, mayManage: boolean) => string;
  /** Offered to those who may block more than single accounts. */
  options?: { value: string; label: string }[];
}

interface KindOfPanel<K extends BlockKind> {
  blank: Draft<K>;
  nameOf: (entry: BlockEntry<K>) => string;
  /** One account, which reviewers may block and unblock. */
  isSingle: (entry: BlockEntry<K>) => boolean;
  writtenName: (draft: Draft<K>) => string;
  bodyOf: (draft: Draft<K>) => Record<string, unknown>;
  columns: Column<BlockEntry<K>>[];
  /** The first stands alone, the others under "Advanced". */
  fields: [FormField<K>, ...FormField<K>[]];
}

const panels: { [K in BlockKind]: KindOfPanel<K> } = {
  user: {
    blank: { account_identifier: "", pattern_type: GUESSED, notes: "" },
    nameOf: (user) => (user.subdomains ? user.account_identifier.slice(1) : user.account_identifier),
    isSingle: (user) => user.pattern_type === "exact",
    writtenName: (draft) => domainOf(draft) ?? draft.account_identifier.trim(),
    bodyOf: (draft) => {
      const domain = domainOf(draft);
      const pattern_type = draft.pattern_type === GUESSED ? "exact" : draft.pattern_type;
      return {
        ...draft,
        pattern_type,
        ...(domain === null ? {} : domainBody(domain)),
        notes: draft.notes || null,
      };
    },
    columns: [
      {
        key: "account",
        header: "Account or domain",
        primary: true,
        cell: (user) => <span title={user.account_identifier}>{panelOf("user").nameOf(user)}</span>,
      },
      { key: "kind", header: "Matches", width: "8rem", cell: (user) => blockKinds[kindOf(user)] },
    ],
    fields: [
      { name: "account_identifier", label: "Account or domain", hint: accountHint },
      {
        name: "pattern_type",
        label: "Matches",
        options: [
          { value: GUESSED, label: "the account or domain" },
          ...(["suffix", "prefix", "contains"] as const).map((value) => ({
            value,
            label: blockKinds[value],
          })),
        ],
      },
      { name: "notes", label: "Note" },
    ],
  },
  hashtag: {
    blank: { hashtag: "", notes: "" },
    nameOf: (tag) => `#${tag.hashtag}`,
    isSingle: () => false,
    writtenName: (draft) => `#${draft.hashtag.trim().replace(/^#/, "")}`,
    bodyOf: (draft) => ({ ...draft, notes: draft.notes || null }),
    columns: [
      {
        key: "hashtag",
        header: "Hashtag",
        primary: true,
        cell: (tag) => (
          <span dir="auto" title={`#${tag.hashtag}`}>
            #{tag.hashtag}
          </span>
        ),
      },
    ],
    fields: [
      { name: "hashtag", label: "Hashtag" },
      { name: "notes", label: "Note" },
    ],
  },
};

function domainOf({ account_identifier, pattern_type }: Draft<"user">): string | null {
  return pattern_type === GUESSED ? writtenDomain(account_identifier) : null;
}

function accountHint(draft: Draft<"user">, mayManage: boolean): string {
  const domain = domainOf(draft);
  if (!mayManage)
    return domain === null
      ? "@user@host, or the address of a profile"
      : "This is a domain. Only an admin can block it.";
  return domain === null
    ? "@user@host, the address of a profile, or a domain"
    : `This is a domain: everyone on ${domain} and its subdomains will be blocked.`;
}

export function kindOf(user: Pick<BlockEntry<"user">, "pattern_type" | "subdomains">): StoredPatternType {
  return user.subdomains ? "domain" : user.pattern_type;
}

/** TypeScript cannot index the table by a type parameter. */
export function panelOf<K extends BlockKind>(kind: K): KindOfPanel<K> {
  return panels[kind];
}
