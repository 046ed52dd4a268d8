interface Advised {
  ai_would_reject: boolean | null;
  ai_score: number | null;
  vision_category: string | null;
}

/** Same rule as the filter `ai_result=unsure` (lib/review/conditions.ts). */
export function isUnsure({ ai_would_reject, ai_score, vision_category }: Advised): boolean {
  if (ai_would_reject !== false) return false;
  const score = ai_score ?? 0;
  return vision_category === "uncertain" || (score >= 0.35 && score <= 0.65);
}
