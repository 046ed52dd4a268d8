import { CornerUpLeft } from "lucide-react";
import { Link } from "#components/ui/link.tsx";

/** The page of the reply on its server shows what it answers. */
export function ReplyLine({ href }: { href: string }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-13 text-muted">
      <CornerUpLeft aria-hidden className="size-4 shrink-0" />
      <span>A reply.</span>
      <Link href={href} external>
        Open the conversation
      </Link>
    </p>
  );
}
