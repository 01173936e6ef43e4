require 'sinatra'
require 'erb'

get '/card' do
  ERB.new("Hello #{params[:name]}").result # ← here
end
