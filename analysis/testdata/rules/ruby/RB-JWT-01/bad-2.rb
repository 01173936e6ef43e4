class SessionsController < ApplicationController
  def create
    claims = JWT.decode(params[:token], Settings.key, false).first # ← here
    sign_in User.find(claims['sub'])
  end
end
