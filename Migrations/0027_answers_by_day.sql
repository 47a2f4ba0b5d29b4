-- Answers to a question by day and value, so that sums by day are counted in the order of an index. The moment itself
-- stands in it for sums that begin in the middle of a day.
CREATE INDEX question_result_by_day ON question_result (
    tenant_id, question_id, created_at / 86400000, value, created_at
);
