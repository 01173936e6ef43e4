class Cache
  def read(key)
    Marshal.load(File.binread(path_of(key)))
  end
end
