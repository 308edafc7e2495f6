"""StrAD-FT: a fine-tuned multimodal model answers each window by one line (StrAD, section 4.2)."""
