import { HandHeart } from "lucide-react";
import { OptOutButtons } from "#components/post/opt-out-buttons.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { OptOut } from "#lib/consent/opt-out-schema.ts";
import { AttentionRow } from "./attention-row.tsx";

const w = words.home;

export function OptOutRow({ optOut, mayDecide }: { optOut: OptOut; mayDecide: boolean }) {
  return (
    <AttentionRow
      icon={HandHeart}
      severity="warning"
      title={
        <Link href={authorHref(optOut.account)} tone="plain">
          {w.optOut(optOut.account)}
        </Link>
      }
      hint={
        <>
          {w.optOutHint(optOut.held)} <RelativeTime at={optOut.reported_at} />
          {optOut.reason === "" ? null : `: ${optOut.reason}`}
        </>
      }
      action={mayDecide ? <OptOutButtons account={optOut.account} size="md" /> : undefined}
    />
  );
}
