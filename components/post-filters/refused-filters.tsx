"use client";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import type { Filters } from "#lib/client/desk/post-filters.ts";
import { refusalWords } from "./filter-words.ts";

/** Without retry: the same address would be refused again. */
export function RefusedFilters({
  errors,
  requestId,
  filters,
  onClear,
}: {
  errors: readonly FieldProblem[];
  requestId?: string | null;
  filters: Filters;
  onClear: () => void;
}) {
  return (
    <ErrorState title="The posts could not be loaded" requestId={requestId ?? null}>
      {refusalWords(errors, filters).map((sentence) => (
        <p key={sentence} className="wrap-anywhere">
          {sentence}
        </p>
      ))}
      <Button size="sm" className="mt-4" onClick={onClear}>
        Clear filters
      </Button>
    </ErrorState>
  );
}
