import { Check, X } from "lucide-react";
import { formatCount } from "#components/format.ts";
import type { AuthorHistory } from "#lib/review/author-schema.ts";

export function AuthorRecord({ approved, rejected, stored }: AuthorHistory) {
  return (
    <div className="tabular text-13">
      <p className="flex items-center gap-x-3 whitespace-nowrap [&_span]:inline-flex [&_span]:items-center [&_span]:gap-1 [&_svg]:size-4">
        <span>
          <Check aria-hidden className="text-approve" />
          {formatCount(approved)} approved
        </span>
        <span>
          <X aria-hidden className="text-reject" />
          {formatCount(rejected)} rejected
        </span>
      </p>
      <p className="mt-1 text-muted">{formatCount(stored)} stored</p>
    </div>
  );
}
