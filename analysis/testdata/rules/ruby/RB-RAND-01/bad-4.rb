api_key = (0...32).map { ('a'..'z').to_a.sample }.join # ← here
