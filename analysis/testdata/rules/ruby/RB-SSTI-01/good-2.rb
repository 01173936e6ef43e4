require 'sinatra'
require 'erb'

get '/card' do
  erb :card, locals: { name: params[:name] }
end
