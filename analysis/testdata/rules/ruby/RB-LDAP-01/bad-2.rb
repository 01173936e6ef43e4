require 'net/ldap'

class LoginController < ApplicationController
  def create
    ldap.search(base: 'dc=example', filter: "(uid=#{params[:login]})") # ← here
  end
end
