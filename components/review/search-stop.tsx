import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { formatExactTime } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";

/** Under a list whose search stopped at a time: how far it came, and the way on. */
export function SearchStop({ at, href }: { at: string; href: string }) {
  const timeZone = useTimeZone();
  return (
    <Notice action={<ButtonLink href={href}>{words.reviewTools.searchOn}</ButtonLink>}>
      {words.reviewTools.searchedHint}{" "}
      {words.reviewTools.searchedTo(formatExactTime(Date.parse(at), timeZone))}
    </Notice>
  );
}
