export interface ExportedStreamRow {
  id: number;
  hashtag: string;
  hashtag_folded: string;
  instance: string;
  enable_scheduling: boolean;
  fetch_interval_minutes: number;
  created_at: string | null;
}

export interface Decision {
  post_id: number;
  approved: boolean;
  reviewed_at: string;
  approved_at: string | null;
  reviewed_by: string | null;
  auto_reject_reason: string | null;
}

export interface QueueRow {
  post_id: number;
  state: string;
  delivered_at: string | null;
  errored_at: string | null;
  reserved_at: string | null;
  error_reason: string | null;
  error_details: unknown;
  /** The address of the post. */
  is_known: boolean;
}
