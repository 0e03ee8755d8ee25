"""Rules as the person meets them: their sentences, the window that makes one, and what others would have decided."""
