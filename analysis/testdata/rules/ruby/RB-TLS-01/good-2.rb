response = HTTParty.get(url, verify: true)
