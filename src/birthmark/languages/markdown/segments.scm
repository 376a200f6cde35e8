; The marks of quotes and lists before each line are no part of a fence's text.
(fenced_code_block (info_string) @language (code_fence_content) @content) @segment.fence
(fenced_code_block (code_fence_content) @content) @segment.fence
(code_fence_content (block_continuation) @exclude)
