class ItemsController < ApplicationController
  def show
    login = Net::LDAP::Filter.escape(params[:login])
    Net::LDAP::Filter.construct("(uid=#{login})")
  end
end
