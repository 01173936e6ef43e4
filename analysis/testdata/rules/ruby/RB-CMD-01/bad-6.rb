require 'rack'

class App
  def call(env)
    request = Rack::Request.new(env)
    IO.popen("ls #{request.params['dir']}") # ← here
  end
end
