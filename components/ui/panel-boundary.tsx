"use client";
import { catchError } from "next/error";
import { digestOf } from "#components/shell/page-error.tsx";
import { Card } from "./card.tsx";
import { ErrorState } from "./states.tsx";

export const PanelBoundary = catchError<{ failed: string }>(({ failed }, { error, retry }) => (
  <Card>
    <ErrorState title={failed} requestId={digestOf(error)} onRetry={retry} />
  </Card>
));
