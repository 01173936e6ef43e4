require 'sinatra'

post '/run' do
  code = params['code'].to_s
  Object.new.instance_eval(code) # ← here
end
