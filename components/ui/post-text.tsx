import { cn } from "./cn.ts";

export interface PostTextProps {
  /** Sanitised by the server. The only foreign HTML of the page. */
  html: string;
  /** BCP 47. */
  lang?: string | null;
  className?: string;
}

export function PostText({ html, lang, className }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className={cn("post-text", className)}
      // Sanitised on intake, and the content security policy forbids scripts without its nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
