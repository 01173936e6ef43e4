class ItemsController < ApplicationController
  def show
    name = params[:name].downcase
    Net::LDAP::Filter.construct("(|(cn=#{name})(mail=#{name}))") # ← here
  end
end
