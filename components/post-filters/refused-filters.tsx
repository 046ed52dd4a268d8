"use client";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { Filters } from "#lib/client/desk/post-filters.ts";
import { refusalWords } from "./refusal-words.ts";

/** Without retry: the same address would be refused again. */
export function RefusedFilters({
  title,
  failure,
  filters,
  onClear,
}: {
  title: string;
  failure: ApiFailure;
  filters: Filters;
  onClear: () => void;
}) {
  return (
    <ErrorState title={title} requestId={failure.requestId}>
      {refusalWords(failure.errors, filters).map((sentence) => (
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
