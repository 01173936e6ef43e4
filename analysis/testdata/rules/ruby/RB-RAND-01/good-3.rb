token = ('a'..'z').to_a.sample(12, random: SecureRandom).join
