class Config
  def self.load(path)
    instance_eval(File.read(path), path)
  end
end
