client = Faraday.new(url: url, ssl: { verify: false }) # ← here
