import { cn } from "./cn.ts";

export interface PostTextProps {
  /** The only foreign HTML of the page, sanitised by the server. */
  html: string;
  lang?: string | null;
  className?: string;
}

export function PostText({ html, lang, className }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className={cn("post-text", className)}
      // Sanitised on intake; the content security policy forbids scripts without its nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
