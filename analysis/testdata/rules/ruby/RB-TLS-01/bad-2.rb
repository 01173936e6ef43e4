response = HTTParty.get(url, verify: false) # ← here
