def matches?(user, password)
  Digest::SHA1.hexdigest(user.salt + password) == user.digest # ← here
end
