require 'sinatra'

get '/hello' do
  "<h1>Hello #{params[:name]}</h1>" # ← here
end
