"""``safelight-mlx``: MLX in a process of its own, over JSON lines on stdin and stdout."""
