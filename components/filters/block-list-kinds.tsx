import type { Column } from "#components/ui/data-table.tsx";
import { domainBody } from "#components/blocking/reach-question.ts";
import { words } from "#components/words/en.ts";
import {
  writtenDomain,
  type BlockEntry,
  type BlockField,
  type BlockKind,
  type StoredPatternType,
} from "#lib/filters/schema.ts";

const w = words.filters;

/** Form values. Notes are empty instead of null. */
export type Draft<K extends BlockKind> = Record<BlockField<K> | "notes", string>;

export interface FormField<K extends BlockKind> {
  name: BlockField<K>;
  label: string;
  hint?: (draft: Draft<K>) => string;
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
  fields: [FormField<K>, ...FormField<K>[]];
  formColumns: string;
}

const panels: { [K in BlockKind]: KindOfPanel<K> } = {
  user: {
    blank: { account_identifier: "", pattern_type: "exact", notes: "" },
    nameOf: (user) => (user.subdomains ? user.account_identifier.slice(1) : user.account_identifier),
    isSingle: (user) => user.pattern_type === "exact",
    writtenName: (draft) => domainOf(draft) ?? draft.account_identifier.trim(),
    bodyOf: (draft) => {
      const domain = domainOf(draft);
      return {
        ...draft,
        ...(domain !== null
          ? domainBody(domain)
          : draft.pattern_type === "domain"
            ? { pattern_type: "suffix", subdomains: true }
            : {}),
        notes: draft.notes || null,
      };
    },
    columns: [
      {
        key: "account",
        header: w.account,
        primary: true,
        cell: (user) => <span title={user.account_identifier}>{panelOf("user").nameOf(user)}</span>,
      },
      { key: "kind", header: w.kind, width: "8rem", cell: (user) => w.kinds[kindOf(user)] },
    ],
    fields: [
      { name: "account_identifier", label: w.account, hint: accountHint },
      {
        name: "pattern_type",
        label: w.kind,
        options: Object.entries(w.kinds).map(([value, label]) => ({ value, label })),
      },
    ],
    formColumns: "desk:grid-cols-[2fr_9rem_2fr_auto]",
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
        header: w.hashtag,
        primary: true,
        cell: (tag) => (
          <span dir="auto" title={`#${tag.hashtag}`}>
            #{tag.hashtag}
          </span>
        ),
      },
    ],
    fields: [{ name: "hashtag", label: w.hashtag }],
    formColumns: "desk:grid-cols-[2fr_3fr_auto]",
  },
};

/** An account cannot be a domain, so a domain is blocked. */
function domainOf({ account_identifier, pattern_type }: Draft<"user">): string | null {
  return pattern_type === "exact" ? writtenDomain(account_identifier) : null;
}

function accountHint(draft: Draft<"user">): string {
  const domain = domainOf(draft);
  return domain === null ? w.accountHint : w.becomesDomain(domain);
}

export function kindOf(user: Pick<BlockEntry<"user">, "pattern_type" | "subdomains">): StoredPatternType {
  return user.subdomains ? "domain" : user.pattern_type;
}

/** TypeScript cannot index the table by a type parameter. */
export function panelOf<K extends BlockKind>(kind: K): KindOfPanel<K> {
  return panels[kind];
}
