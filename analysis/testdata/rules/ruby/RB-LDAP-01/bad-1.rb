class ItemsController < ApplicationController
  def show
    filter = Net::LDAP::Filter.construct("(uid=#{params[:login]})") # ← here
  end
end
